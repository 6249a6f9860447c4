import type { MoneyHold } from '../spending/money-holds.ts';
import type { Run } from './run.ts';

const stateName = 'waits_for_money';

/** Tells the thread, once for each budget that is used up, that its run waits. */
export async function tellMoneyHold(
  {
    uuid,
    state,
    thread,
    logger,
  }: Pick<Run, 'uuid' | 'state' | 'logger'> & {
    readonly thread: { readonly writer: Pick<Run['thread']['writer'], 'post'> };
  },
  { account, text }: Pick<MoneyHold, 'account'> & { readonly text: string },
): Promise<void> {
  const told = await state.read(stateName).catch(() => null);
  if (told === account) return;
  logger.warn({ account }, 'deferred run: budget is used up');
  await thread.writer.post({ topic: `run:${uuid}:money`, body: text });
  await state.write(stateName, account);
}
