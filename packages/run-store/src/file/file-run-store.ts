import { checkOptions, type ExpectationsOf, expected, expectNullable, expectPort } from '@agent/text/options';
import type { MessageLike } from '../journal-model.ts';
import { guardStore } from '../ownership/guard-store.ts';
import { placesExpectations, type RunPlacesOptions, toRunPlaces } from '../places.ts';
import type { WholeRunStore } from '../ports.ts';
import { createRunStore, type RunStoreOptions, storeExpectations } from '../store/create-run-store.ts';
import { FileRunDriver, type FileRunDriverOptions } from './file-run-driver.ts';

/** Options of a store in files. */
export interface FileRunStoreOptions<Message>
  extends RunPlacesOptions,
    RunStoreOptions<Message>,
    FileRunDriverOptions {}

const expectations: ExpectationsOf<FileRunStoreOptions<never>> = {
  ...placesExpectations,
  ...storeExpectations,
  owner: expectNullable(expectPort('guard')),
  afterSync: expected.function,
  openIndex: expected.function,
};

/**
 * Runs as directories under one base: `running/{uuid}` while they run, `paused/{uuid}` while they wait,
 * `completed/{uuid}` when they ended. Who writes with it owns the base directory.
 * @throws {TypeError} that names an option which is missing, unknown or invalid
 * @see seed 002 §2.1
 * @see acquireOwnership
 *
 * @example
 * const store = createFileRunStore({ baseDirectory, parseMessage });
 * const { journal } = await store.open(newRun);
 * await journal.append({ type: 'message', message, usage: null, delivers: [] });
 */
export function createFileRunStore<Message extends MessageLike>(
  options: FileRunStoreOptions<Message>,
): WholeRunStore<Message> {
  checkOptions('FileRunStoreOptions', options, expectations, ['baseDirectory', 'parseMessage']);
  const places = toRunPlaces(options);
  const store = createRunStore(new FileRunDriver(places, options), options);
  return options.owner == null ? store : guardStore(store, options.owner.guard);
}
