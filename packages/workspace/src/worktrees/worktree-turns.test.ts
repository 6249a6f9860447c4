import { describe, expect, it } from 'vitest';
import { createSharedWork } from './worktree-turns.ts';

/** Work that begins and ends when the test says so. */
function createStage() {
  const share = createSharedWork<number>();
  const turn = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const begun: AbortSignal[] = [];
  const ask = (signal?: AbortSignal) =>
    share('one', {
      signal,
      takeTurn: (begin) => turn.promise.then(begin),
      work: async (shared) => {
        const number = begun.push(shared);
        await Promise.race([
          end.promise,
          new Promise((resolve) => shared.addEventListener('abort', resolve)),
        ]);
        shared.throwIfAborted();
        return number;
      },
    });
  const begin = async () => {
    turn.resolve();
    await new Promise(setImmediate);
  };
  return { ask, begin, end: end.resolve, begun };
}

describe('shared work', () => {
  it('is done once for all who ask before it begins, and anew for who asks later', async () => {
    const { ask, begin, end, begun } = createStage();
    const early = [ask(), ask()];
    await begin();
    const late = ask();
    end();
    expect(await Promise.all([...early, late])).toEqual([1, 1, 2]);
    expect(begun).toHaveLength(2);
  });

  it('fails for all who share it', async () => {
    const share = createSharedWork<void>();
    const ask = () =>
      share('one', {
        takeTurn: (begin) => Promise.resolve().then(begin),
        work: () => Promise.reject(new Error('no server')),
      });
    const answers = await Promise.allSettled([ask(), ask()]);
    expect(answers.map((answer) => answer.status === 'rejected' && answer.reason.message)).toEqual([
      'no server',
      'no server',
    ]);
  });

  it('lets one go who waits no longer, and goes on for the others', async () => {
    const { ask, begin, end } = createStage();
    const controller = new AbortController();
    const [leaving, staying] = [ask(controller.signal), ask()];
    await begin();
    controller.abort(new Error('shutting down'));
    await expect(leaving).rejects.toThrow('shutting down');
    end();
    expect(await staying).toBe(1);
  });

  it('is ended when the last one waits no longer', async () => {
    const { ask, begin, begun } = createStage();
    const controllers = [new AbortController(), new AbortController()];
    const waiting = controllers.map(({ signal }) => ask(signal));
    await begin();
    for (const controller of controllers) controller.abort(new Error('shutting down'));
    for (const one of waiting) await expect(one).rejects.toThrow('shutting down');
    expect(begun[0]?.aborted).toBe(true);
  });

  it('that nobody waits for any more before it begins is not joined by who comes next', async () => {
    const { ask, begin, end } = createStage();
    const controller = new AbortController();
    const gone = ask(controller.signal);
    controller.abort(new Error('shutting down'));
    await expect(gone).rejects.toThrow('shutting down');
    const next = ask();
    await begin();
    end();
    expect(await next).toBe(2);
    await expect(ask(controller.signal)).rejects.toThrow('shutting down');
  });
});
