// The users of the service: each with a menu of what an administrator may do, and the form of a new one.

import { useCallback, useState } from 'react'
import { NewForm } from '../account/NewForm.tsx'
import { Alert } from '../common/Alert.tsx'
import { Dialog, DialogButtons } from '../common/Dialog.tsx'
import { messageOf } from '../common/errors.ts'
import { Icon } from '../common/Icon.tsx'
import { Link } from '../common/Link.tsx'
import { Menu } from '../common/Menu.tsx'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { useAction } from '../common/use-action.ts'
import { useLoaded } from '../common/use-loaded.ts'
import { type AdminPartProps, placeOf } from './parts.ts'
import { actionsOn, badgesOf, beginUser, type User, type UserAction } from './users.ts'

interface Chosen {
  readonly user: User
  readonly action: UserAction
  readonly near: HTMLElement
}

export function Users({ session: { client, user: own }, go }: AdminPartProps) {
  const load = useCallback(
    async (signal: AbortSignal) => (await client.request('GET /users', {}, { signal })).users,
    [client],
  )
  const { value: users, retry, reload } = useLoaded(client, load)
  const [chosen, setChosen] = useState<Chosen>()
  const begin = async (fields: FormData) => {
    await beginUser(client, fields)
    reload()
  }
  return (
    <>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {users === undefined && retry.failure === undefined ? <Skeleton rows={3} /> : null}
      {users?.length === 0 ? <p className="note">There are no accounts yet.</p> : null}
      <ul className="list">
        {users?.map(user => (
          <UserRow
            key={user.name}
            user={user}
            own={own?.name}
            go={go}
            choose={(action, near) => setChosen({ user, action, near })}
          />
        ))}
      </ul>
      {chosen === undefined ? null : (
        <ActionDialog
          {...chosen}
          close={() => setChosen(undefined)}
          act={async password => {
            await chosen.action.act(client, password)
            reload()
          }}
        />
      )}
      <NewUser begin={begin} />
    </>
  )
}

interface UserRowProps extends Pick<AdminPartProps, 'go'> {
  readonly user: User
  /** The name of the user who looks at it. */
  readonly own: string | undefined
  readonly choose: (action: UserAction, near: HTMLElement) => void
}

function UserRow({ user, own, go, choose }: UserRowProps) {
  const { name, groups } = user
  const actions = actionsOn(user, own)
  return (
    <li>
      <div>
        <strong>{name}</strong>
        {badgesOf(user, own).map(({ text, isGood }) => (
          <span key={text} className={isGood ? 'badge good' : 'badge'}>
            {text}
          </span>
        ))}
        <p>
          {groups.length === 0 ? '' : `in ${groups.join(', ')} · `}
          <Link to={placeOf('logins', [['user', name]])} go={go}>
            logins
          </Link>
          {' · '}
          <Link to={placeOf('changes', [['user', name]])} go={go}>
            changes
          </Link>
        </p>
      </div>
      {actions.length === 0 ? null : (
        <Menu
          label={`Actions for ${name}`}
          className="quiet"
          items={actions.map(action => ({
            text: action.text,
            ...(action.isDangerous && { isDangerous: true }),
            act: near => choose(action, near),
          }))}
        >
          <Icon name="more" />
        </Menu>
      )}
    </li>
  )
}

function NewUser({ begin }: { readonly begin: (fields: FormData) => Promise<void> }) {
  return (
    <NewForm title="New user" submit="Create the user" begin={begin}>
      <label>
        Name
        <input name="name" required maxLength={64} autoComplete="off" />
      </label>
      <label>
        First password, which the user changes
        <input name="password" type="password" required autoComplete="new-password" />
      </label>
      <label className="check">
        <input name="admin" type="checkbox" /> Administrator, who may do everything
      </label>
    </NewForm>
  )
}

interface ActionDialogProps extends Chosen {
  readonly act: (password: string) => Promise<void>
  readonly close: () => void
}

function ActionDialog({ user, action, near, act, close }: ActionDialogProps) {
  const { text, consequence, hasPassword = false, isDangerous = false } = action
  const [{ isRunning, error }, run] = useAction()
  return (
    <Dialog title={`${text}: ${user.name}`} near={near} close={close}>
      <form
        onSubmit={event => {
          event.preventDefault()
          const password = String(new FormData(event.currentTarget).get('password') ?? '')
          void run(async () => {
            await act(password)
            close()
          })
        }}
      >
        <p>{consequence}</p>
        {hasPassword ? (
          <label>
            New password
            <input name="password" type="password" required autoComplete="new-password" />
          </label>
        ) : null}
        <Alert message={error} />
        <DialogButtons cancel={close} submit={text} isRunning={isRunning} isDangerous={isDangerous} />
      </form>
    </Dialog>
  )
}
