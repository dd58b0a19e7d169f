# Records in the formats of other tools: a file each, a function of a run each.
