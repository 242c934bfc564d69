// Door: what other packages use of store/records.

export {
  type AccountsState,
  changeAccounts,
  noteUsers,
  readAccounts,
  readRevision,
  type StoredAccounts,
  type StoredUser,
} from './records/accounts.ts'
export { noteAllFolders } from './records/folders.ts'
export { beginCopy, endCopy, makeIdentity, takeIdentity } from './records/identity.ts'
export {
  changeLogins,
  digestOf,
  isSecret,
  type LoginsOfUser,
  newSecret,
  noteUse,
  readLogin,
  readLogins,
  readUsersWithLogins,
  type StoredLogin,
  type StoredSession,
  type StoredShare,
  type StoredToken,
} from './records/logins.ts'
export { makeMountSecret } from './records/mount-secret.ts'
export { withSnapshot } from './records/with-snapshot.ts'
