import assert from 'node:assert/strict';
import type { CommentListing } from '../model.ts';
import type { CommentSource } from '../ports.ts';
import { type ContractCase, present } from './contract.ts';
import type { CommentSourceFixture } from './contract-fixture.ts';

const many = 250;
const looks = 4;

/** Knowledge of a caller who keeps comments that it was shown and drops what a whole listing leaves out. */
class Reader {
  readonly #source: CommentSource;
  readonly bodies = new Map<string, string>();
  cursor: string | null = null;
  constructor(source: CommentSource) {
    this.#source = source;
  }
  async look(since: string | null): Promise<CommentListing> {
    const listing = await this.#source.listComments({ since });
    if (listing.complete) this.bodies.clear();
    for (const { id, body } of listing.comments) this.bodies.set(id, body);
    this.cursor = listing.cursor;
    return listing;
  }
}

/** Many comments, and a last one so much later that a cursor leaves them behind. */
async function writeMany(fixture: CommentSourceFixture): Promise<string[]> {
  const ids = await write(fixture, many);
  await fixture.people.passTime(300);
  await write(fixture, 1);
  return ids;
}

async function write(fixture: CommentSourceFixture, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1)
    ids.push(await fixture.people.comment(fixture.key, { author: 'alice', body: `comment ${index}` }));
  return ids;
}

/** Whoever looks a few times more has missed nothing that stands on the thread. */
async function assertKnowsAll(reader: Reader, { key, people }: CommentSourceFixture): Promise<void> {
  for (let look = 0; look < looks; look += 1) await reader.look(reader.cursor);
  const standing = await people.commentsOn(key);
  const missed = standing.filter(({ id, body }) => reader.bodies.get(id) !== body);
  assert.deepEqual(missed, [], 'comments that stand on the thread were not shown as they stand');
}

async function during({ listing }: CommentSourceFixture, act: () => Promise<void>): Promise<void> {
  if (listing === undefined) await act();
  else listing.afterFirstPage(act);
}

/** Events that befall comments while they are read. */
const doings: readonly {
  readonly what: string;
  readonly act: (fixture: CommentSourceFixture, ids: readonly string[]) => Promise<void>;
}[] = [
  {
    what: 'one is edited',
    act: ({ people, key }, ids) => people.editComment(key, present(ids[3], 'the fourth comment'), 'edited'),
  },
  {
    what: 'one is deleted',
    act: ({ people, key }, ids) => people.deleteComment(key, present(ids[3], 'the fourth comment')),
  },
  {
    what: 'one of the last is deleted',
    act: ({ people, key }, ids) => people.deleteComment(key, present(ids.at(-3), 'the last comment but two')),
  },
  {
    what: 'another is written',
    act: async ({ people, key }) => {
      await people.comment(key, { author: 'bob', body: 'meanwhile' });
    },
  },
];

const whole = doings.map(
  ({ what, act }): ContractCase<CommentSourceFixture> => ({
    name: `loses nothing of a whole thread while ${what} between two pages [NX-2]`,
    run: async (fixture) => {
      const ids = await writeMany(fixture);
      const reader = new Reader(fixture.open());
      await during(fixture, () => act(fixture, ids));
      await reader.look(null);
      await assertKnowsAll(reader, fixture);
    },
  }),
);

const news = doings.map(
  ({ what, act }): ContractCase<CommentSourceFixture> => ({
    name: `loses nothing of a burst of news while ${what} between two pages [NX-2]`,
    run: async (fixture) => {
      await write(fixture, 2);
      const reader = new Reader(fixture.open());
      await reader.look(null);
      await fixture.people.passTime(300);
      const ids = await writeMany(fixture);
      await during(fixture, () => act(fixture, ids));
      await reader.look(reader.cursor);
      await assertKnowsAll(reader, fixture);
    },
  }),
);

/** The cases of a source that reads page by page while people go on. */
export const commentPagingCases: readonly ContractCase<CommentSourceFixture>[] = [
  ...whole,
  ...news,
  {
    name: 'shows more than a hundred comments of one second, and later comments of the same second [CD-59] [NX-2]',
    run: async (fixture) => {
      await write(fixture, 1);
      const reader = new Reader(fixture.open());
      await reader.look(null);
      await fixture.people.passTime(300);
      await write(fixture, many);
      await reader.look(reader.cursor);
      await write(fixture, 60);
      await assertKnowsAll(reader, fixture);
    },
  },
  {
    name: 'rejects where a page fails in the middle, and loses nothing by it [B1] [NX-2]',
    run: async (fixture) => {
      await write(fixture, 1);
      const reader = new Reader(fixture.open());
      await reader.look(null);
      await fixture.people.passTime(300);
      await writeMany(fixture);
      const { listing } = fixture;
      if (listing !== undefined) {
        listing.afterFirstPage(async () => listing.failNextPage());
        await assert.rejects(
          reader.look(reader.cursor),
          'a listing of which a page failed has to reject, but it did not',
        );
      }
      await assertKnowsAll(reader, fixture);
    },
  },
];
