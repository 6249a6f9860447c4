import { fileURLToPath } from 'node:url';
import { plantIn, readPlanted } from './plant.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** Plugin of Vite that has tests load our sources with what is planted in them; it changes nothing where nothing is. */
export function plantedSources() {
  const changes = readPlanted();
  return {
    name: 'planted-sources',
    enforce: 'pre' as const,
    transform: (source: string, id: string): string | null => {
      const isOurs = changes.length > 0 && id.startsWith(root);
      const changed = isOurs ? plantIn(source, { path: id, changes }) : source;
      return changed === source ? null : changed;
    },
  };
}
