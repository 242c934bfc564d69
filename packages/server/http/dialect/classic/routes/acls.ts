// Access control lists in the classic dialect: of the root group, and of objects (classic 10).

import type { Route } from '../../../route/route.ts'
import { OF_OBJECT, OF_ROOT, readsAt, writesAt } from '../../../routes/acls.ts'

export const aclRoutes: readonly Route[] = [OF_ROOT, OF_OBJECT].flatMap(location => [
  ...readsAt('classic', location),
  ...writesAt('classic', location),
])
