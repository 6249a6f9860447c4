import { findRun } from './find-run.ts';
import type { RunState } from './ports.ts';
import type { RunPlaces } from './run-places.ts';
import { createRunState } from './run-state.ts';

/** The state of a run, looked for anew each time: a run that is not open here may be moved by who has it open. */
export function openStateOf(places: RunPlaces, uuid: string): RunState {
  const find = async () => createRunState((await findRun(places, uuid)).directory);
  return {
    read: async (name) => (await find()).read(name),
    write: async (name, value, options) => (await find()).write(name, value, options),
  };
}
