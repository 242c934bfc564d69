// The dialog with programs that read the shown object.

import { useEffect, useState } from 'react'
import type { Api, Selection } from '../../../client/index.ts'
import { Alert } from '../Alert.tsx'
import { Dialog } from '../Dialog.tsx'
import { messageOf } from '../errors.ts'
import type { Session } from '../session.ts'
import { useAction } from '../use-action.ts'
import { LANGUAGES } from './code.ts'

export interface CodeDialogProps {
  readonly session: Session
  readonly domain: string
  readonly object: string
  /** The slice of it that is shown; undefined: all. */
  readonly select: Selection | undefined
  /** Whether the attributes of the object are shown. */
  readonly attributes: boolean
  readonly close: () => void
}

export function CodeDialog({ session, domain, object, select, attributes, close }: CodeDialogProps) {
  const { client, user } = session
  const [found, setFound] = useState<Api.FoundObject>()
  const [error, setError] = useState<string>()
  useEffect(() => {
    const abort = new AbortController()
    const at = client.domain(domain)
    at.object(object, { signal: abort.signal })
      .then(answer => setFound({ ...answer, domain: at.pathOf(answer.id) }))
      .catch((reason: unknown) => {
        if (!abort.signal.aborted) setError(messageOf(reason))
      })
    return () => abort.abort()
  }, [client, domain, object])
  const target = found && {
    endpoint: client.endpoint,
    domain,
    object,
    found,
    select,
    attributes,
    userName: user?.name,
  }
  return (
    <Dialog title={`Read ${object} in a program`} close={close}>
      <Alert message={error} />
      {attributes ? <p>The programs read the attributes, which are shown.</p> : null}
      {select && !attributes ? <p>The programs read the slice that is shown.</p> : null}
      {target && LANGUAGES.map(({ name, codeOf }) => <Code key={name} name={name} text={codeOf(target)} />)}
    </Dialog>
  )
}

function Code({ name, text }: { readonly name: string; readonly text: string }) {
  const [isCopied, setCopied] = useState(false)
  const [copying, run] = useAction()
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <section className="code" aria-label={name}>
      <h3>{name}</h3>
      <pre>{text}</pre>
      <button type="button" aria-label={`Copy the ${name} program`} onClick={() => void run(copy)}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
      {copying.error === undefined ? null : <Alert message={copying.error} />}
    </section>
  )
}
