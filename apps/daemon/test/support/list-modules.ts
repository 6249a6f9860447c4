import { registerHooks } from 'node:module';

/** Preloaded into a process: tells on standard error which modules it loads. */
registerHooks({
  load: (url, context, nextLoad) => {
    process.stderr.write(`loads ${url}\n`);
    return nextLoad(url, context);
  },
});
