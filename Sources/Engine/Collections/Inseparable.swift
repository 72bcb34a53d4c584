/// What other users would come to without some of them is not in the sums: the largest value was theirs, say.
struct Inseparable: Error {}
