import type { FileRunJournalOptions } from '../journal/file-run-journal.ts';
import type { RunOpener } from './run-opener.ts';
import type { RunPlaces } from './run-places.ts';

/** What the parts of a store share. */
export interface RunStoreParts<Message> {
  readonly places: RunPlaces;
  readonly opener: RunOpener<Message>;
  readonly options: FileRunJournalOptions<Message>;
}
