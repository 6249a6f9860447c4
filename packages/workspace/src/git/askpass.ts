import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What git needs to log in. */
export interface GitCredentials {
  readonly username: string;
  readonly token: string;
}

/** For which server, with which credentials, and where the helper may be written (programs must be allowed to run there). */
export interface AskpassOptions {
  readonly url: URL;
  readonly credentials: GitCredentials;
  readonly directory: string;
}

/** How the helpers' directories begin: what a killed process left of them can be removed. */
export const askpassPrefix = '.askpass-';

/**
 * Answers git's questions from the environment of the git process, and only the questions about the one server:
 * whatever redirects git elsewhere, the token is not given there.
 *
 * @see https://git-scm.com/docs/gitcredentials#_requesting_credentials
 */
const script = `#!/bin/sh
case "$1" in
  "Username for '$AGENT_GIT_ORIGIN'"*) printf '%s\\n' "$AGENT_GIT_USERNAME" ;;
  "Password for '$AGENT_GIT_LOGIN'"*) printf '%s\\n' "$AGENT_GIT_TOKEN" ;;
  *) exit 1 ;;
esac
`;

/**
 * Runs `work` with the variables that let git log in at the URL's origin. The helper is written anew into a
 * private directory each time and removed afterwards, so that nobody can prepare it.
 */
export async function withAskpass<T>(
  { url, credentials, directory: parent }: AskpassOptions,
  work: (variables: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  const directory = await mkdtemp(join(parent, askpassPrefix));
  const path = join(directory, 'askpass.sh');
  try {
    await writeFile(path, script, { mode: 0o700, flag: 'wx' });
    return await work({
      GIT_ASKPASS: path,
      AGENT_GIT_ORIGIN: `${url.protocol}//${url.host}`,
      AGENT_GIT_LOGIN: `${url.protocol}//${credentials.username}@${url.host}`,
      AGENT_GIT_USERNAME: credentials.username,
      AGENT_GIT_TOKEN: credentials.token,
    });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
