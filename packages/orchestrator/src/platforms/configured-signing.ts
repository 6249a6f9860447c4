import { resolve } from 'node:path';
import type { OnToken } from '@agent/platforms/credentials';
import type { SigningKey } from '@agent/workspace';
import type { SigningConfig } from '@agent/workspace/config';
import { ConfigError } from '../config/config-error.ts';
import type { Environment } from '../host/ports.ts';

/** The part of the configuration that says how commits are signed. */
export interface SigningSettings {
  readonly workspaces: {
    /** Directory of the worktrees. */
    readonly directory: string;
    /** Null, the default, for commits without a signature. */
    readonly signing?: SigningConfig | null | undefined;
  };
  /** Told of the key before it is used: a secret from then on. */
  readonly onToken?: OnToken | undefined;
  readonly environment: Environment;
  /** Directory that the paths of the configuration begin at. */
  readonly directory: string;
}

/** Opens the key that commits are signed with; null where the configuration names none. */
export async function openConfiguredKey({
  workspaces: { signing = null },
  onToken = () => {},
  environment,
  directory,
}: SigningSettings): Promise<SigningKey | null> {
  if (signing === null) return null;
  const { openSigningKey } = await import('@agent/workspace');
  return openSigningKey(signing, {
    environment,
    resolvePath: (path) => resolve(directory, path),
    onKey: (value) => onToken({ value, endsAt: null }),
  });
}

/**
 * Signs something with the configured key, so that a wrong one is known before the first task.
 *
 * @returns the way in which commits are signed; null where they are not
 * @throws ConfigError that says what is wrong with the key
 */
export async function checkConfiguredSigning(
  settings: SigningSettings,
): Promise<SigningConfig['format'] | null> {
  const key = await openConfiguredKey(settings);
  if (key === null) return null;
  const { checkSigning } = await import('@agent/workspace');
  const { workspaces, environment } = settings;
  await checkSigning(key, { directory: workspaces.directory, environment }).catch((cause: Error) => {
    throw new ConfigError(cause.message, { cause });
  });
  return key.format;
}
