import { registerHooks } from 'node:module';
import { changeSource, plantVariable, root, type SourceChange } from './plant.ts';

// Preloaded into a program under test (`node --import`): the modules that are named are loaded as they would be with the
// changes in them.
const changes = JSON.parse(process.env[plantVariable] ?? '[]') as readonly SourceChange[];

registerHooks({
  load: (url, context, nextLoad) => {
    const own = changes.filter(({ file }) => new URL(file, root).href === url);
    const loaded = nextLoad(url, context);
    if (own.length === 0) return loaded;
    return { ...loaded, source: own.reduce(changeSource, String(loaded.source)) };
  },
});
