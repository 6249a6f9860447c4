import { PlatformError } from '../platform-error.ts';

/** An entry point of this package and what is installed beside it. */
export interface PeerNeed {
  /** Entry point that needs it, e.g. `@agent/platforms/github`. */
  readonly entry: string;
  readonly packages: readonly string[];
}

/**
 * Loads code that needs optional peer dependencies of this package.
 *
 * @throws PlatformError `unavailable` with the packages to install, if one of them is missing
 */
export async function loadPeer<Module>(
  load: () => Promise<Module>,
  { entry, packages }: PeerNeed,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const code = (cause as { readonly code?: unknown } | null)?.code;
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause;
    throw new PlatformError(
      `${entry} needs packages that are not installed. Install them: npm install ${packages.join(' ')}`,
      { code: 'unavailable', cause },
    );
  }
}
