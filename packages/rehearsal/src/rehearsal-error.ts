import { access, constants, stat } from 'node:fs/promises';

/** Failure of a check whose cause is known. Its instruction replaces the usual one of the check. */
export class CheckFailure extends Error {
  /** What the user does about this cause. */
  readonly fix: string;

  constructor(message: string, fix: string) {
    super(message);
    this.name = 'CheckFailure';
    this.fix = fix;
  }
}

/** A rehearsal that cannot begin or continue. The message is for the user at the terminal. */
export class RehearsalError extends Error {
  readonly code = 'rehearsal';

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RehearsalError';
  }
}

/**
 * Checks the directory of `rehearsal.json`.
 *
 * @throws RehearsalError with this text if no file can be written there
 */
export async function checkOutputDirectory(
  directory: string,
  toText: (directory: string) => string,
): Promise<void> {
  const found = await stat(directory).catch(() => null);
  const isWritable = await access(directory, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (found?.isDirectory() !== true || !isWritable) throw new RehearsalError(toText(directory));
}
