import { isPublished } from './paths.ts';
import type { Problem, SourceTree } from './source-tree.ts';

/** Who may clean where everything else waits, because it is a name: bounded, and short. */
const cleansNames = new Set([
  'apps/daemon/src/text/clean-name.ts',
  'apps/discord/src/history/read-conversation.ts',
]);

/** Services clean what strangers wrote in a worker, with a deadline (docs/decisions/0014). */
export function findMainThreadCleaning(tree: SourceTree): readonly Problem[] {
  return [...tree]
    .filter(([path]) => path.startsWith('apps/') && isPublished(path) && !cleansNames.has(path))
    .filter(([, text]) => text.includes('cleanUntrustedText'))
    .map(([path]) => ({
      path,
      message: 'clean texts by createTextCleaner, off the main thread, and names by cleanName',
    }));
}
