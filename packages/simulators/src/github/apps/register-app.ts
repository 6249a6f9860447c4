import { createHash, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { App, AppDraft, PendingManifest } from '../state/app-model.ts';
import { takeId, timestamp } from '../state/create-state.ts';
import type { State } from '../state/model.ts';
import { addUser, findUser } from '../state/users.ts';

/** Length of the time in which a manifest's code can be exchanged. @see https://docs.github.com/apps/sharing-github-apps/registering-a-github-app-from-a-manifest */
const manifestMs = 60 * 60_000;

/** An app and the private key that is told once. */
export interface RegisteredApp {
  readonly app: App;
  /** PEM, as GitHub hands it out (PKCS#1). */
  readonly privateKey: string;
}

/** Registers an app with a new key, and signs its `[bot]` account up. @throws when the name is taken */
export function registerApp(state: State, draft: AppDraft): RegisteredApp {
  const slug = draft.name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  if (findUser(state, `${slug}[bot]`)) throw new Error(`The simulator already has an app "${slug}".`);
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
  const id = takeId(state);
  const app: App = {
    ...draft,
    id,
    slug,
    clientId: `Iv23li${secretOf(state, 'client', 14)}`,
    permissions: { ...draft.permissions, metadata: 'read' },
    bot: addUser(state, { login: `${slug}[bot]`, type: 'Bot' }),
    createdAt: timestamp(state),
    publicKey: createPublicKey(privateKey),
  };
  state.apps.set(id, app);
  return { app, privateKey };
}

/** Notes that a person has agreed to a manifest; returns the code that GitHub sends to its `redirect_url`. */
export function acceptManifest(state: State, draft: AppDraft): string {
  const code = secretOf(state, 'manifest', 40);
  state.manifests.set(code, { draft, expiresAt: state.now() + manifestMs });
  return code;
}

/** Takes the manifest of a code, which works once and for an hour; undefined otherwise. */
export function takeManifest(state: State, code: string): PendingManifest | undefined {
  const pending = state.manifests.get(code);
  state.manifests.delete(code);
  return pending && pending.expiresAt > state.now() ? pending : undefined;
}

/** Makes letters and digits that nobody was given before. */
export function secretOf(state: State, purpose: string, length: number): string {
  const digest = createHash('sha512').update(`${purpose} ${takeId(state)}`);
  return digest
    .digest('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, length);
}
