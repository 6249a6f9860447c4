import { readFile } from 'node:fs/promises';
import { decodeTextFile } from '@agent/text/files';
import { z } from 'zod';
import {
  type Credential,
  createStaticCredential,
  type OnToken,
  unusableCredential,
} from '../http/credential.ts';
import { createAppCredential, toConnection } from './app-credential.ts';
import { type AppRequests, createAppRequests } from './app-requests.ts';
import { createFileCredential } from './file-credential.ts';

const path = z.string().min(1).nullable().default(null);

/** Key of a section of a configuration: a file with the token, instead of the variable, for one that something else rotates. */
export const tokenFileShape = { token_file: path };

/** Section of a configuration that says which GitHub App works. */
export const gitHubAppSchema = z.strictObject({
  /** App ID or client ID. Both have digits, so that a placeholder is told from them. */
  app_id: z.union([
    z.number().int().positive(),
    z
      .string()
      .regex(
        /^[A-Za-z.]*\d[A-Za-z\d.]*$/,
        "must be the App ID (a number) or the client ID (Iv…) from the App's settings page",
      ),
  ]),
  private_key_env: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'must be the name of an environment variable')
    .default('GITHUB_APP_PRIVATE_KEY'),
  /** Default: the variable has the key itself. */
  private_key_file: path,
  /** Default: that of the first repository. */
  installation_id: z.number().int().positive().nullable().default(null),
});

/** See `gitHubAppSchema`. */
export type GitHubAppSettings = z.output<typeof gitHubAppSchema>;

/** The part of a platform's section that says as whom its API is asked. */
export interface CredentialSettings {
  readonly base_url: string;
  /** Variable with the token, where neither of the others is given. */
  readonly token_env: string;
  readonly token_file: string | null;
  readonly app?: GitHubAppSettings | null | undefined;
  readonly timeout_seconds: number;
}

/** Surroundings of a configured credential. */
export interface OpenCredentialOptions {
  /** Repository whose installation is looked for, `owner/repo`. */
  readonly place: string;
  /** Reads a variable. Throws where it is not set. */
  readonly readVariable: (name: string, purpose: string) => string;
  /** Token's purpose, for the message where it is missing. */
  readonly purpose: string;
  /** Finds a file that the configuration names. */
  readonly resolvePath: (path: string) => string;
  /** Default nothing. */
  readonly onToken?: OnToken | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Milliseconds since 1970. Default `Date.now`. */
  readonly now?: (() => number) | undefined;
}

/** A credential, with what it is called among those of a database that processes share. */
export interface OpenedCredential {
  readonly credential: Credential;
  /** Stays the same whatever token there is; holds the token itself where that never changes. */
  readonly name: readonly string[];
  /** Asks GitHub as the App itself; null for a token. */
  readonly app: AppRequests | null;
}

/**
 * Opens the credential that a section of a configuration names: an App, a file, or a variable.
 *
 * @example
 * const { credential } = openCredential(section, { place: 'octo/hello', readVariable, purpose: 'the token', resolvePath: resolve });
 */
export function openCredential(
  settings: CredentialSettings,
  options: OpenCredentialOptions,
): OpenedCredential {
  const { base_url: baseUrl, token_env: variable, token_file: file, app } = settings;
  if (app != null) return openApp({ ...settings, app }, options);
  const { onToken, resolvePath, readVariable, purpose } = options;
  if (file !== null) {
    const credential = createFileCredential({ path: resolvePath(file), onToken });
    return { credential, name: [baseUrl, 'file', file], app: null };
  }
  const token = readVariable(variable, purpose);
  return { credential: createStaticCredential(token), name: [baseUrl, token], app: null };
}

function openApp(
  { base_url: baseUrl, timeout_seconds: seconds, app }: CredentialSettings & { app: GitHubAppSettings },
  { place, readVariable, resolvePath, onToken = () => {}, fetch, now }: OpenCredentialOptions,
): OpenedCredential {
  const { app_id: appId, private_key_env: variable, private_key_file: file, installation_id: id } = app;
  const privateKey =
    file === null
      ? () => readVariable(variable, 'the private key of the GitHub App (PEM)')
      : () => readKey(resolvePath(file), onToken);
  // A missing variable is said at the start.
  if (file === null) privateKey();
  const installation = id ?? place;
  const timeoutMs = seconds * 1_000;
  const asked = { appId, privateKey, installation, baseUrl, timeoutMs, onToken, fetch, now };
  const name = [baseUrl, 'app', String(appId), String(id ?? place.split('/')[0])];
  return { credential: createAppCredential(asked), name, app: createAppRequests(toConnection(asked)) };
}

/** Reads a private key, which is a secret from then on. */
async function readKey(file: string, onToken: OnToken): Promise<string> {
  try {
    const decoded = decodeTextFile(await readFile(file));
    // Bytes that are not text are not a key either, which is reported when the key is used.
    const value = decoded.kind === 'text' ? decoded.text.trim() : '';
    onToken({ value, endsAt: null });
    return value;
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw unusableCredential(`The private key ${file} cannot be read (${code ?? message}).`, {
      reason: 'private-key',
      cause,
    });
  }
}
