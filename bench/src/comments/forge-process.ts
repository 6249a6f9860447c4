import type { ForgeAnswer, ForgeQuestion } from './fork-forge.ts';
import { startThreadForge } from './thread-forge.ts';

/** A forge in a process of its own: its parent asks by messages, and ends it by leaving. */
const forge = await startThreadForge();

process.on('message', async ({ id, name, argument }: ForgeQuestion) => {
  const answer: ForgeAnswer = await forge[name](argument as never).then(
    (result) => ({ id, result }),
    (error: unknown) => ({ id, error: String(error) }),
  );
  process.send?.(answer);
});

process.on('disconnect', () => void forge.close());
