if x:
	pass
y = 1z
