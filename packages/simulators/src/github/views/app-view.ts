import type { Urls } from '../http/urls.ts';
import type { App, AppPermissions, Installation } from '../state/app-model.ts';
import { nodeId } from '../state/node-id.ts';
import type { Vendor } from '../vendor.ts';
import { showUser } from './user-view.ts';

/** An app as everybody sees it; its own answer counts the installations, too. */
export function showApp(app: App, urls: Urls): NonNullable<Vendor['integration']> {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('Integration', app.id),
    client_id: app.clientId,
    owner: showUser(app.owner, urls),
    name: app.name,
    description: app.description,
    external_url: app.url,
    html_url: `${urls.web}/apps/${app.slug}`,
    created_at: app.createdAt,
    updated_at: app.createdAt,
    permissions: app.permissions,
    events: [...app.events],
  };
}

/** An app on an account. */
export function showInstallation(installation: Installation, urls: Urls): Vendor['installation'] {
  const { id, app, account, suspendedBy } = installation;
  return {
    id,
    account: showUser(account, urls),
    repository_selection: installation.repositoryIds ? 'selected' : 'all',
    access_tokens_url: `${urls.api}/app/installations/${id}/access_tokens`,
    repositories_url: `${urls.api}/installation/repositories`,
    html_url: `${urls.web}/settings/installations/${id}`,
    app_id: app.id,
    client_id: app.clientId,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions: showAppPermissions(installation.permissions),
    events: [...app.events],
    created_at: installation.createdAt,
    updated_at: installation.updatedAt,
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: suspendedBy && showUser(suspendedBy, urls),
    suspended_at: installation.suspendedAt,
  };
}

/** Names and levels are what people registered, which the published schema lists one by one. */
export function showAppPermissions(permissions: AppPermissions): Vendor['app-permissions'] {
  return permissions as Vendor['app-permissions'];
}
