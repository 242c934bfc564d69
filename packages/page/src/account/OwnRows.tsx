// A list of what a user has in the account, drawn: each with its facts and the button that ends it.

import { Fragment, type ReactNode, useCallback } from 'react'
import { Age } from '../common/Age.tsx'
import { Alert } from '../common/Alert.tsx'
import { messageOf } from '../common/errors.ts'
import { Skeleton } from '../common/Skeleton.tsx'
import { TryAgain } from '../common/TryAgain.tsx'
import { type Action, useAction } from '../common/use-action.ts'
import { type Loaded, useLoaded } from '../common/use-loaded.ts'
import type { Session } from '../shell/session.ts'
import { ConfirmButton } from './ConfirmButton.tsx'
import type { OwnList, OwnRow } from './own-lists.ts'

export interface OwnState extends Omit<Loaded<unknown>, 'value'> {
  readonly kind: Pick<OwnList<never>, 'none'>
  /** Undefined: not loaded yet. */
  readonly rows: readonly OwnRow[] | undefined
  /** Ends one, and lists the others again. */
  readonly end: (id: string) => Promise<void>
  /** The last change by `run`. */
  readonly action: Action
  /** Does something to the list, which is then loaded again. */
  readonly run: (act: () => Promise<unknown>) => Promise<void>
}

export function useOwnList<Item>({ client, user }: Session, kind: OwnList<Item>): OwnState {
  const load = useCallback((signal: AbortSignal) => kind.list(client, signal), [client, kind])
  const { value, retry, reload } = useLoaded(client, load)
  const [action, runAction] = useAction()
  const thenReload = async (act: () => Promise<unknown>) => {
    await act()
    reload()
  }
  return {
    kind,
    rows: value?.map(item => kind.row(item, user?.name)),
    retry,
    reload,
    end: id => thenReload(() => kind.end(client, id)),
    action,
    run: act => runAction(() => thenReload(act)),
  }
}

const SKELETON_ROWS = 3

interface OwnRowsProps extends OwnState {
  /** What is below the list comes after it, so that nothing moves. */
  readonly children?: ReactNode
}

export function OwnRows({ kind, rows, retry, action, end, run, children }: OwnRowsProps) {
  const isLoading = rows === undefined && retry.failure === undefined
  return (
    <>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {isLoading ? <Skeleton rows={SKELETON_ROWS} /> : null}
      {rows?.length === 0 && kind.none !== undefined ? <p className="note">{kind.none}</p> : null}
      <ul className="list">
        {rows?.map(row => (
          <li key={row.id}>
            <Facts {...row} />
            {row.ending === undefined ? null : row.ending.consequence === undefined ? (
              <button
                type="button"
                aria-label={row.ending.label}
                disabled={action.isRunning}
                onClick={() => void run(() => end(row.id))}
              >
                {row.ending.text}
              </button>
            ) : (
              <ConfirmButton
                text={row.ending.text}
                label={row.ending.label}
                consequence={row.ending.consequence}
                act={() => end(row.id)}
              />
            )}
          </li>
        ))}
      </ul>
      <Alert message={action.error} />
      {isLoading ? null : children}
    </>
  )
}

function Facts({ title, hint, badges, sentence }: OwnRow) {
  return (
    <div>
      <strong title={hint}>{title}</strong>
      {badges.map(({ text, isGood }) => (
        <span key={text} className={isGood ? 'badge good' : 'badge'}>
          {text}
        </span>
      ))}
      {sentence.length === 0 ? null : (
        <p>
          {sentence.map((part, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence keep their places
            <Fragment key={i}>{typeof part === 'string' ? part : <Age time={part.time} />}</Fragment>
          ))}
        </p>
      )}
    </div>
  )
}
