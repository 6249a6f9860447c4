// Loaded before the daemon: an hour of its clocks and timers passes in a minute of ours.
import { syncBuiltinESMExports } from 'node:module';
import { performance } from 'node:perf_hooks';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';

const base = Number(process.env.BENCH_CLOCK_BASE);
const factor = Number(process.env.BENCH_CLOCK_FACTOR);
const realNow = Date.now;
const realPerformanceNow = performance.now.bind(performance);
const RealDate = Date;

const scaledNow = () => Math.round(base + (realNow() - base) * factor);
globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [scaledNow()] : given));
  }
  static now() {
    return scaledNow();
  }
};
performance.now = () => realPerformanceNow() * factor;

const { setTimeout: realTimeout, setInterval: realInterval } = timers;
const scaled =
  (real) =>
  (callback, milliseconds, ...given) =>
    real(callback, (milliseconds ?? 1) / factor, ...given);
globalThis.setTimeout = scaled(realTimeout);
globalThis.setInterval = scaled(realInterval);
const realWait = timersPromises.setTimeout;
timersPromises.setTimeout = (milliseconds, value, options) =>
  realWait((milliseconds ?? 1) / factor, value, options);
syncBuiltinESMExports();
