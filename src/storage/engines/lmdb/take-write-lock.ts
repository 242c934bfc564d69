// A program that takes LMDB's write lock of a folder and releases it: opening the folder does both. write-lock.ts
// starts it, and ends it when it takes too long.

import { open } from './lmdb.ts'

open({ path: process.argv[2], noSubdir: false, overlappingSync: false })
