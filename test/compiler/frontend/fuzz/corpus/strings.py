a = 'a\x41\101\u0416\U0001F600\N{DASH}\
b' "c" '''d
e''' r'\' u'f'
b = b'\xff' rb'\d' Br"x"
