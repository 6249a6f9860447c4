import { authenticated } from '../http/requirements.ts';
import { ok, type Route, route } from '../http/route.ts';

const version = '18.5.1';
const revision = 'a1b2c3d4e5f';

/** Routes of the installation's version. @see https://docs.gitlab.com/api/metadata/ */
export const metaRoutes: readonly Route[] = [
  route(
    'GET /version',
    authenticated(() => ok({ version, revision })),
  ),
  route(
    'GET /metadata',
    authenticated(() =>
      ok({ version, revision, kas: { enabled: false, externalUrl: null, version: null }, enterprise: false }),
    ),
  ),
];
