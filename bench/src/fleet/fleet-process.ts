import { type FleetSetup, measureFleet } from './measure-fleet.ts';

/** One fleet in a process of its own: told of its setup, it answers with the figures and ends. */
process.once('message', async (setup: FleetSetup) => {
  const figures = await measureFleet(setup);
  process.send?.(figures, undefined, {}, () => process.disconnect());
});
