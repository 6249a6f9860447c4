import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Names of files that stand for variables. */
const variableName = /^[A-Z][A-Z0-9_]*$/;

/**
 * Reads the secrets in the directory that `CREDENTIALS_DIRECTORY` names, as systemd (`LoadCredential`) and Docker (`/run/secrets`) give them: a
 * file for each variable, named after it, without the line end at its end. Other files are left out. Empty without that variable.
 *
 * @throws the error of the system for a directory or a file that cannot be read
 *
 * @example
 * const environment = { ...(await readCredentials(process.env)), ...process.env };
 */
export async function readCredentials(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<Readonly<Record<string, string>>> {
  const { CREDENTIALS_DIRECTORY: directory = '' } = environment;
  if (directory === '') return {};
  const names = (await readdir(directory)).filter((name) => variableName.test(name));
  const read = names.map(async (name) => {
    const text = await readFile(join(directory, name), 'utf8');
    return [name, text.replace(/\r?\n$/, '')] as const;
  });
  return Object.fromEntries(await Promise.all(read));
}
