/** Carries out one thing after the other for each run, and for different runs at the same time. */
export type RunTurns = <Result>(uuid: string, work: () => Promise<Result>) => Promise<Result>;

export function createRunTurns(): RunTurns {
  const last = new Map<string, Promise<unknown>>();
  return async (uuid, work) => {
    const turn = (last.get(uuid) ?? Promise.resolve()).then(work, work);
    last.set(uuid, turn);
    try {
      return await turn;
    } finally {
      if (last.get(uuid) === turn) last.delete(uuid);
    }
  };
}
