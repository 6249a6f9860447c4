import { registerHooks } from 'node:module';
import { plantIn, readPlanted } from './plant.ts';

// Preloaded into a program under test (`node --import`): its modules are loaded as they would be with the changes in them.
const changes = readPlanted();
const { href } = new URL('../../../../', import.meta.url);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(href)) return loaded;
    const source = String(loaded.source);
    const changed = plantIn(source, { path: url, changes });
    return changed === source ? loaded : { ...loaded, source: changed };
  },
});
