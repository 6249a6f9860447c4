/** Carries a journal's error up to `runTask`, past everything that handles errors of its own. */
export class JournalFailure extends Error {
  constructor(cause: unknown) {
    super('The journal could not be written', { cause });
    this.name = 'JournalFailure';
  }
}

/** Marks what a journal rejects with. */
export function journaled<Result>(write: Promise<Result>): Promise<Result> {
  return write.catch((error: unknown) => {
    throw new JournalFailure(error);
  });
}
