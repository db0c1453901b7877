if x:
	y
        z
    w
  v
   u
else
  t
