// The dialog that joins files, whose form is loaded when it is opened.

import { Dialog } from '../../common/Dialog.tsx'
import { Part, usePart } from '../../common/part.ts'
import { Skeleton } from '../../common/Skeleton.tsx'
import { TryAgain } from '../../common/TryAgain.tsx'
import { useRetry } from '../../common/use-retry.ts'
import type { JoinFormProps } from './use-join.ts'

const JOIN_FORM = new Part(async () => (await import('./JoinForm.tsx')).JoinForm)

export function LoadedJoin({ near, ...props }: JoinFormProps & { readonly near: Element }) {
  const retry = useRetry(props.session.client)
  const JoinForm = usePart(JOIN_FORM, retry)
  return (
    <Dialog title="Read many files as one" near={near} close={props.close}>
      <TryAgain retry={retry} message="The form cannot be loaded." />
      {JoinForm ? <JoinForm {...props} /> : <Skeleton rows={4} />}
    </Dialog>
  )
}
