raise ImportError("tegula is not for this test")
