print("offerlift")
