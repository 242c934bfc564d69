// The dialog with programs that read the shown object, in the language of the user.

import type { Api, Selection } from '@hyperslab/client'
import { useCallback, useState } from 'react'
import { CopyButton } from '../../common/CopyButton.tsx'
import { Dialog } from '../../common/Dialog.tsx'
import { messageOf } from '../../common/errors.ts'
import { Skeleton } from '../../common/Skeleton.tsx'
import { TryAgain } from '../../common/TryAgain.tsx'
import { useLoaded } from '../../common/use-loaded.ts'
import type { Session } from '../../shell/session.ts'
import { LANGUAGES } from './code.ts'

export interface CodeDialogProps {
  readonly session: Session
  readonly domain: string
  readonly object: string
  /** Gives the slice of a dataset that is shown; undefined: all of it. */
  readonly sliceOf: (object: string) => Selection | undefined
  /** The condition for the rows of a table that are shown; undefined: all of them. */
  readonly filter: string | undefined
  /** Whether the attributes of the object are shown. */
  readonly attributes: boolean
  /** The button that opens it. */
  readonly near: Element
  readonly close: () => void
}

/** The browser keeps the language. */
const LANGUAGE_KEY = 'hyperslab-language'

export function CodeDialog(props: CodeDialogProps) {
  const { session, domain, object, sliceOf, filter, attributes, near, close } = props
  const { client, user } = session
  const [name, setName] = useState(() => localStorage.getItem(LANGUAGE_KEY) ?? '')
  const find = useCallback(
    (signal: AbortSignal) => findShown(client, domain, object, attributes, signal),
    [client, domain, object, attributes],
  )
  const { value: shown, retry } = useLoaded(client, find)
  const select = shown && sliceOf(shown.shownPath)
  const type = shown?.found.class === 'dataset' ? shown.found.type.class : undefined
  const rows = type === 'H5T_COMPOUND' ? filter : undefined
  const programs = LANGUAGES.flatMap(({ codeOf, ...language }) => {
    const { endpoint } = client
    const text =
      shown && codeOf({ endpoint, ...shown, select, filter: rows, attributes, userName: user?.name })
    return text === undefined ? [] : [{ ...language, text }]
  })
  const program = programs.find(program => program.name === name) ?? programs[0]
  const choose = (name: string) => {
    setName(name)
    localStorage.setItem(LANGUAGE_KEY, name)
  }
  return (
    <Dialog title={`Read ${shown?.shownPath ?? object} in a program`} near={near} close={close}>
      <TryAgain retry={retry} message={messageOf(retry.failure)} />
      {shown === undefined && retry.failure === undefined ? <Skeleton rows={4} /> : null}
      {shown && attributes ? <p>The program reads the attributes, which are shown.</p> : null}
      {select && !attributes ? <p>The program reads the slice that is shown.</p> : null}
      {rows === undefined ? null : <p>The program reads the rows that are shown.</p>}
      {shown && shown.shownPath !== object ? (
        <p>The program reads the signal of the plot that {object} shows.</p>
      ) : null}
      <fieldset className="languages">
        <legend className="hidden">Language</legend>
        {programs.map(({ name }) => (
          <button key={name} type="button" aria-pressed={name === program?.name} onClick={() => choose(name)}>
            {name}
          </button>
        ))}
      </fieldset>
      {program === undefined ? null : (
        <section className="code" aria-label={program.name}>
          <pre>{program.text}</pre>
          <CopyButton label={`Copy the ${program.name} program`} text={program.text} />
          {program.needs === undefined ? null : (
            <p className="muted">
              It needs <code>{program.needs}</code>
            </p>
          )}
          {/TOKEN/.test(program.text) ? (
            <p className="muted">Make a token for it in your account, and put it in the place of TOKEN.</p>
          ) : null}
        </section>
      )}
    </Dialog>
  )
}

interface Shown {
  /** The path of the dataset that is shown, or of the object. */
  readonly shownPath: string
  readonly found: Api.FoundObject
  /** Its path in its own domain. */
  readonly path: string
}

async function findShown(
  client: Session['client'],
  domain: string,
  object: string,
  attributes: boolean,
  signal: AbortSignal,
): Promise<Shown> {
  const at = client.domain(domain)
  const shownPath = attributes ? object : await plottedPath(client, domain, object)
  const answer = await at.object(shownPath, { signal })
  const found = { ...answer, domain: at.pathOf(answer.id) }
  const isHere = found.domain === domain
  return { shownPath, found, path: isHere ? shownPath : await ownPathOf(client, found, signal) }
}

/** The path of the signal of the plot that the viewer shows of a group; that of the object without. */
async function plottedPath(client: Session['client'], domain: string, object: string): Promise<string> {
  // The viewer has loaded them.
  const [{ Contents }, { plotOf }] = await Promise.all([
    import('../data/contents.ts'),
    import('../data/plot.ts'),
  ])
  const contents = new Contents(client, domain)
  const entity = await contents.at(object)
  const plot = entity.kind === 'group' ? await plotOf(contents, entity) : undefined
  return plot?.signal.path ?? object
}

/** The first path of hard links to an object in its own domain. */
async function ownPathOf(
  client: Session['client'],
  { class: kind, id, domain }: Api.FoundObject,
  signal: AbortSignal,
): Promise<string> {
  const parameters = { id, domain, getalias: 1 }
  const { alias } = await client.request(`GET /${kind}s/{id}`, parameters, { signal })
  return alias?.[0] ?? '/'
}
