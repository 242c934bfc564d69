// Door: what other packages use of store/records.

export {
  type AccountsState,
  changeAccounts,
  noteUsers,
  readAccounts,
  type StoredAccounts,
  type StoredUser,
} from './records/accounts.ts'
export {
  digestOf,
  LoginStore,
  type LoginsOfUser,
  type StoredLogin,
} from './records/logins.ts'
export { makeMountSecret } from './records/mount-secret.ts'
export { withSnapshot } from './records/with-snapshot.ts'
export { knownFilesOf } from './runs/known-files.ts'
