import { findSecretForms } from '@agent/text/secrets';

/** Setting that holds a secret instead of the name of its place. */
export interface PastedSecret {
  /** Path of the setting, such as `platforms.github.token_env`. */
  readonly path: string;
  readonly text: string;
}

/** Finds secrets in settings that name a variable or a file (`…_env`, `env`, `…_file`). Their values are not quoted. */
export function findPastedSecrets(value: unknown, path = ''): readonly PastedSecret[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) => {
    const place = path === '' ? key : `${path}.${key}`;
    const holder = /(?:^|_)(env|file)$/.exec(key)?.[1];
    if (holder === undefined) return findPastedSecrets(child, place);
    const values: readonly unknown[] = Array.isArray(child) ? child : [child];
    return values.some((one) => typeof one === 'string' && isSecret(one, holder))
      ? [{ path: place, text: `${place}: ${advise(holder)}` }]
      : [];
  });
}

function isSecret(value: string, holder: string): boolean {
  if (value.includes('-----BEGIN') || findSecretForms(value).length > 0) return true;
  // A name has no digits among letters of both cases, nor the characters of base64.
  const isRandom = /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  return holder === 'env' && value.length >= 20 && isRandom;
}

function advise(holder: string): string {
  const place = holder === 'env' ? 'an environment variable' : 'a file';
  const steps =
    holder === 'env'
      ? 'Put the secret into .env or the environment, and write the name of its variable here'
      : 'Put the secret into a file, and write the path of that file here';
  return `must name ${place}, but looks like the secret itself. ${steps}. Replace the secret if others could read this file.`;
}
