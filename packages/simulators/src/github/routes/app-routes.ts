import { z } from 'zod';
import { createInstallationToken, listInstalled, suspend, uninstall } from '../apps/installations.ts';
import { registerApp, takeManifest } from '../apps/register-app.ts';
import { created, noContent, ok } from '../http/answers.ts';
import { paged } from '../http/pagination.ts';
import { bodyOf } from '../http/request-body.ts';
import { numberParameter } from '../http/requirements.ts';
import { type Answer, type Call, type Handler, parameter, type Route, route } from '../http/route.ts';
import { undecodable } from '../http/verify-jwt.ts';
import type { App, Installation } from '../state/app-model.ts';
import { toTimestamp } from '../state/create-state.ts';
import { forbidden, notFound, requiresAuthentication } from '../state/refusal.ts';
import { findRepository, findRepositoryById } from '../state/repositories.ts';
import { showApp, showAppPermissions, showInstallation } from '../views/app-view.ts';
import { showRepository } from '../views/repository-view.ts';

const docs = 'apps/apps';
const installations = '/app/installations';
const one = `${installations}/{installation_id}`;

/** Apps and their installations. */
export const appRoutes: readonly Route[] = [
  route(
    'GET /app',
    `${docs}#get-the-authenticated-app`,
    onApp((call, app) =>
      ok({ ...showApp(app, call.urls), installations_count: installationsOf(call, app).length }),
    ),
  ),
  route('GET /apps/{app_slug}', `${docs}#get-an-app`, getApp),
  route(
    'POST /app-manifests/{code}/conversions',
    `${docs}#create-a-github-app-from-a-manifest`,
    convertManifest,
  ),
  route(
    `GET ${installations}`,
    `${docs}#list-installations-for-the-authenticated-app`,
    onApp((call, app) =>
      paged(call, installationsOf(call, app), (installation) => showInstallation(installation, call.urls)),
    ),
  ),
  route(
    `GET ${one}`,
    `${docs}#get-an-installation-for-the-authenticated-app`,
    onInstallation((call, installation) => ok(showInstallation(installation, call.urls))),
  ),
  route(
    `DELETE ${one}`,
    `${docs}#delete-an-installation-for-the-authenticated-app`,
    onInstallation((call, installation) => {
      uninstall(call.state, installation);
      return noContent();
    }),
  ),
  route(
    `PUT ${one}/suspended`,
    `${docs}#suspend-an-app-installation`,
    onInstallation((call, installation) => {
      suspend(call.state, installation, { by: installation.app.owner });
      return noContent();
    }),
  ),
  route(
    `DELETE ${one}/suspended`,
    `${docs}#unsuspend-an-app-installation`,
    onInstallation((call, installation) => {
      suspend(call.state, installation, { by: null });
      return noContent();
    }),
  ),
  route(
    `POST ${one}/access_tokens`,
    `${docs}#create-an-installation-access-token-for-an-app`,
    onInstallation(createToken),
  ),
  route(
    'GET /repos/{owner}/{repo}/installation',
    `${docs}#get-a-repository-installation-for-the-authenticated-app`,
    onApp(getRepositoryInstallation),
  ),
  route(
    'GET /users/{username}/installation',
    `${docs}#get-a-user-installation-for-the-authenticated-app`,
    onApp((call, app) => getAccountInstallation(call, app, parameter(call, 'username'))),
  ),
  route(
    'GET /orgs/{org}/installation',
    `${docs}#get-an-organization-installation-for-the-authenticated-app`,
    onApp((call, app) => getAccountInstallation(call, app, parameter(call, 'org'))),
  ),
  route(
    'GET /installation/repositories',
    'apps/installations#list-repositories-accessible-to-the-app-installation',
    listRepositories,
  ),
  route('DELETE /installation/token', 'apps/installations#revoke-an-installation-access-token', revokeToken),
];

/** A route for who signs as an app. */
function onApp(handle: (call: Call, app: App) => Answer): Handler {
  return (call) => {
    if (!call.app) throw undecodable();
    return handle(call, call.app);
  };
}

function onInstallation(handle: (call: Call, installation: Installation) => Answer): Handler {
  return onApp((call, app) => {
    const installation = call.state.installations.get(numberParameter(call, 'installation_id'));
    if (installation?.app !== app) throw notFound();
    return handle(call, installation);
  });
}

function installationsOf({ state }: Call, app: App): readonly Installation[] {
  return [...state.installations.values()].filter((installation) => installation.app === app);
}

function getApp(call: Call): Answer {
  const found = [...call.state.apps.values()].find(({ slug }) => slug === parameter(call, 'app_slug'));
  if (!found) throw notFound();
  return ok(showApp(found, call.urls));
}

function convertManifest(call: Call): Answer {
  const pending = takeManifest(call.state, parameter(call, 'code'));
  if (!pending) throw notFound();
  const { app, privateKey } = registerApp(call.state, pending.draft);
  const { id, clientId } = app;
  return created({
    ...showApp(app, call.urls),
    client_id: clientId,
    client_secret: `client-secret-of-${id}`,
    webhook_secret: `webhook-secret-of-${id}`,
    pem: privateKey,
  });
}

function getRepositoryInstallation(call: Call, app: App): Answer {
  const repository = findRepository(call.state, `${parameter(call, 'owner')}/${parameter(call, 'repo')}`);
  const found = installationsOf(call, app).find(
    (installation) => repository && listInstalled(call.state, installation).includes(repository),
  );
  if (!found) throw notFound();
  return ok(showInstallation(found, call.urls));
}

function getAccountInstallation(call: Call, app: App, login: string): Answer {
  const found = installationsOf(call, app).find(
    ({ account }) => account.login.toLowerCase() === login.toLowerCase(),
  );
  if (!found) throw notFound();
  return ok(showInstallation(found, call.urls));
}

const wanted = z.object({
  repositories: z.array(z.string()).max(500).optional(),
  repository_ids: z.array(z.int()).max(500).optional(),
  permissions: z.record(z.string(), z.enum(['read', 'write', 'admin'])).optional(),
});

function createToken(call: Call, installation: Installation): Answer {
  const { repositories: names, repository_ids: ids, permissions: asked } = bodyOf(call, wanted);
  const { login } = installation.account;
  const chosen = [
    ...(names ?? []).map((name) => findRepository(call.state, `${login}/${name}`)),
    ...(ids ?? []).map((id) => findRepositoryById(call.state, id)),
  ];
  const repositories = names || ids ? chosen : null;
  const { token, permissions } = createInstallationToken(call.state, installation, {
    repositories,
    permissions: asked ?? null,
  });
  const isSelected = repositories !== null || installation.repositoryIds !== null;
  const shown = listInstalled(call.state, installation).filter(({ id }) => token.repositoryIds?.has(id));
  return {
    status: 201,
    body: {
      token: token.secret,
      expires_at: toTimestamp(token.expiresAt ?? 0),
      permissions: showAppPermissions(permissions),
      repository_selection: isSelected ? 'selected' : 'all',
      ...(repositories
        ? { repositories: shown.map((found) => showRepository(found, { ...call, viewer: null })) }
        : {}),
    },
  };
}

function listRepositories(call: Call): Answer {
  const { token } = call;
  if (!token) throw requiresAuthentication();
  if (!token.installation)
    throw forbidden(
      'You must authenticate with an installation access token in order to list repositories for an installation.',
    );
  const reached = listInstalled(call.state, token.installation).filter(({ id }) =>
    token.repositoryIds?.has(id),
  );
  const page = paged(call, reached, (found) => showRepository(found, call));
  const selection = token.installation.repositoryIds ? 'selected' : 'all';
  const body = { total_count: reached.length, repository_selection: selection, repositories: page.body };
  return { ...page, body };
}

function revokeToken(call: Call): Answer {
  if (!call.token?.installation) throw forbidden();
  call.state.tokens.delete(call.token.secret);
  return noContent();
}
