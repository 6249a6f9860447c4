import type { App, AppDraft, AppPermissions, Installation } from '../state/app-model.ts';
import type { State } from '../state/model.ts';
import { seededRepository } from '../state/repositories.ts';
import { seededUser } from '../state/users.ts';
import {
  chooseRepositories,
  createInstallationToken,
  installApp,
  suspend,
  uninstall,
} from './installations.ts';
import { acceptManifest, registerApp } from './register-app.ts';

/** An app that somebody registers. Its slug is made of its name, its account is `slug[bot]`. */
export interface SimulatedAppSeed {
  readonly owner: string;
  readonly name: string;
  readonly description?: string;
  readonly url?: string;
  /** By their names in the API, e.g. `pull_requests`; `metadata` may always be read. */
  readonly permissions: AppPermissions;
  /** Events of its webhook. */
  readonly events?: readonly string[];
}

/** What the owner of an app knows of it. */
export interface SimulatedApp {
  readonly id: number;
  readonly slug: string;
  readonly clientId: string;
  /** `slug[bot]`. */
  readonly login: string;
  /** PEM (PKCS#1). */
  readonly privateKey: string;
}

/** An installation that somebody wants. */
export interface SimulatedInstallationSeed {
  /** Slug of the app. */
  readonly app: string;
  readonly account: string;
  /** As `owner/name`; default: all of the account's, also those to come. */
  readonly repositories?: readonly string[];
  /** Those that the account has agreed to; default: all that the app asks for. */
  readonly permissions?: AppPermissions;
}

/** People's doings around apps. Ids are those of installations. */
export interface SimulatedApps {
  readonly register: (app: SimulatedAppSeed) => SimulatedApp;
  /** A person agrees to a manifest; returns the code that is sent to its `redirect_url` and works for an hour. */
  readonly acceptManifest: (manifest: SimulatedAppSeed) => string;
  /** Returns its id. */
  readonly install: (installation: SimulatedInstallationSeed) => number;
  /** A token with all that the installation has, as the API makes it. */
  readonly token: (id: number) => string;
  /** As `owner/name`; null for all of the account's. */
  readonly choose: (id: number, repositories: readonly string[] | null) => void;
  /** The account agrees to other permissions; tokens keep those that they were made with. */
  readonly permit: (id: number, permissions: AppPermissions) => void;
  readonly suspend: (id: number, by: string) => void;
  readonly unsuspend: (id: number) => void;
  readonly uninstall: (id: number) => void;
}

/** Registers and installs apps. */
export function createAppControls(state: State): SimulatedApps {
  const find = (id: number): Installation => {
    const installation = state.installations.get(id);
    if (!installation) throw new Error(`There is no installation ${id}: apps.install(…) first.`);
    return installation;
  };
  const repositoriesOf = (names: readonly string[] | null) =>
    names?.map((name) => seededRepository(state, name)) ?? null;
  return {
    register: (seed) => {
      const { app, privateKey } = registerApp(state, toDraft(state, seed));
      return { id: app.id, slug: app.slug, clientId: app.clientId, login: app.bot.login, privateKey };
    },
    acceptManifest: (seed) => acceptManifest(state, toDraft(state, seed)),
    install: ({ app: slug, account, repositories, permissions }) =>
      installApp(state, {
        app: findApp(state, slug),
        account: seededUser(state, account),
        repositories: repositoriesOf(repositories ?? null),
        permissions,
      }).id,
    token: (id) =>
      createInstallationToken(state, find(id), { repositories: null, permissions: null }).token.secret,
    choose: (id, names) => chooseRepositories(state, find(id), repositoriesOf(names)),
    permit: (id, permissions) => {
      find(id).permissions = { ...permissions, metadata: 'read' };
    },
    suspend: (id, by) => suspend(state, find(id), { by: seededUser(state, by) }),
    unsuspend: (id) => suspend(state, find(id), { by: null }),
    uninstall: (id) => uninstall(state, find(id)),
  };
}

function findApp(state: State, slug: string): App {
  const app = [...state.apps.values()].find((one) => one.slug === slug);
  if (!app) throw new Error(`The simulator has no app "${slug}": apps.register(…) first.`);
  return app;
}

function toDraft(state: State, seed: SimulatedAppSeed): AppDraft {
  const { owner, name, description = '', url = 'https://example.com', permissions, events = [] } = seed;
  return { owner: seededUser(state, owner), name, description, url, permissions, events };
}
