import { ConfigError } from '../config/config-error.ts';

/** Errors whose message is all that the person at the terminal needs. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof ConfigError || (error instanceof Error && 'code' in error);
}

/** Runs a command; an error for people becomes one clear line and exit code 1, any other goes on. */
export async function explainErrors(
  command: () => Promise<number>,
  { warn }: { readonly warn: (text: string) => void },
): Promise<number> {
  try {
    return await command();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    warn(`agent-daemon: ${error.message}`);
    return 1;
  }
}
