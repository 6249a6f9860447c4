/** Does work for each item, so many at a time; when one fails, no more are begun and the failure is thrown last. */
export async function runLimited<Item>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<'go' | 'interrupt'>,
): Promise<'go' | 'interrupt'> {
  const left = [...items];
  let last: 'go' | 'interrupt' = 'go';
  const workers = Array.from({ length: Math.min(Math.max(1, limit), left.length) }, async () => {
    try {
      for (let item = left.shift(); item !== undefined; item = left.shift()) {
        if ((await work(item)) === 'interrupt') last = 'interrupt';
        if (last === 'interrupt') left.length = 0;
      }
    } catch (error) {
      left.length = 0;
      throw error;
    }
  });
  const failed = (await Promise.allSettled(workers)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  return last;
}
