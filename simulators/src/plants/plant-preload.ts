import { registerHooks } from 'node:module';
import { plantVariable, type SourceChange } from './plant.ts';

// Preloaded into a program under test (`node --import`): its modules are loaded as they would be with the changes in them.
const changes = JSON.parse(process.env[plantVariable] ?? '[]') as readonly SourceChange[];
const { href } = new URL('../../../', import.meta.url);

registerHooks({
  load: (url, context, nextLoad) => {
    const loaded = nextLoad(url, context);
    if (!url.startsWith(href) || url.includes('/node_modules/') || !url.includes('/src/')) return loaded;
    const source = String(loaded.source);
    const changed = changes.reduce((text, { find, replace }) => text.replace(find, () => replace), source);
    return changed === source ? loaded : { ...loaded, source: changed };
  },
});
