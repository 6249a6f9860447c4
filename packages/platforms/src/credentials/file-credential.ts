import { readFile, stat } from 'node:fs/promises';
import { decodeTextFile } from '@agent/text/files';
import { checkOptions, expected } from '@agent/text/options';
import {
  type Credential,
  type IssuedToken,
  isToken,
  type OnToken,
  type TokenOptions,
  unusableCredential,
} from '../http/credential.ts';

/** Options of `createFileCredential`. */
export interface FileCredentialOptions {
  /** Path of a file that holds a token and nothing else. */
  readonly path: string;
  /** Default nothing. */
  readonly onToken?: OnToken | undefined;
}

interface ReadToken {
  readonly token: IssuedToken;
  /** Changes with the file. */
  readonly version: string;
}

/**
 * The credential of a token that something else rotates: the file is read again when it has changed, and when the platform refuses the
 * token. Where it cannot be read, or is empty for a moment, the token that was read last stays in use until it is refused.
 *
 * @example
 * const credential = createFileCredential({ path: '/run/secrets/gitlab-token' });
 * const { value } = await credential.token();
 */
export function createFileCredential(options: FileCredentialOptions): Credential {
  checkOptions('FileCredentialOptions', options, { path: expected.text, onToken: expected.function }, [
    'path',
  ]);
  const { path, onToken = () => {} } = options;
  let last: ReadToken | null = null;
  const read = async (): Promise<IssuedToken> => {
    const version = await readVersion(path);
    if (last?.version === version) return last.token;
    const decoded = decodeTextFile(await readFile(path));
    const value = decoded.kind === 'text' ? decoded.text.trim() : '';
    if (!isToken(value)) throw new Error('it must contain one token and nothing else');
    const token = { value, endsAt: null };
    onToken(token);
    last = { token, version };
    return token;
  };
  return {
    token: async ({ refused, signal }: TokenOptions = {}) => {
      signal?.throwIfAborted();
      // A file that was written twice within the grain of its times looks the same.
      if (refused !== undefined && last?.token.value === refused) last = { ...last, version: '' };
      try {
        return await read();
      } catch (cause) {
        if (last !== null && last.token.value !== refused) return last.token;
        throw unusableCredential(`The token file ${path} cannot be used: ${reasonOf(cause)}.`, {
          reason: 'token-file',
          cause,
        });
      }
    },
    login: async () => null,
  };
}

async function readVersion(path: string): Promise<string> {
  const { ino, size, mtimeNs } = await stat(path, { bigint: true });
  return `${ino} ${size} ${mtimeNs}`;
}

function reasonOf(cause: unknown): string {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return typeof code === 'string' ? code : String(message);
}
