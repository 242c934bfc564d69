// The page for administrators when it is loaded, and a note until then.

import { Part, usePart } from '../common/part.ts'
import { TryAgain } from '../common/TryAgain.tsx'
import { useRetry } from '../common/use-retry.ts'
import type { AdminPageProps } from './AdminPage.tsx'

const ADMIN_PAGE = new Part(async () => (await import('./AdminPage.tsx')).AdminPage)

export function LoadedAdmin(props: AdminPageProps) {
  const retry = useRetry(props.session.client)
  const AdminPage = usePart(ADMIN_PAGE, retry)
  if (AdminPage) return <AdminPage {...props} />
  if (retry.failure === undefined) return <p className="note">Loading …</p>
  return <TryAgain retry={retry} message="The page for administrators cannot be loaded." />
}
