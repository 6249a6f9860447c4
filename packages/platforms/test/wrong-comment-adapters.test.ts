import { describe } from 'vitest';
import type { CommentListing, CommentSource } from '../src/index.ts';
import { commentSourceCases, commentWriterCases, ownCommentsCases } from '../src/testing/index.ts';
import { itNotices, type WrongAdapter } from './fixtures/wrong-adapter.ts';

const comments = (wrong: string, noticedBy: RegExp, change: (listing: CommentListing) => CommentListing) =>
  itNotices({
    port: 'commentSource',
    cases: commentSourceCases,
    wrong,
    noticedBy,
    spoil: (source): CommentSource => ({
      listComments: async (options) => change(await source.listComments(options)),
    }),
  });

describe('the contract suites of comments', () => {
  comments('drops the second page', /every comment once/, (listing) => ({
    ...listing,
    comments: listing.comments.slice(0, 100),
  }));
  comments('lists the newest first', /every comment once/, (listing) => ({
    ...listing,
    comments: listing.comments.toReversed(),
  }));
  comments('shows a comment twice', /every comment once/, (listing) => ({
    ...listing,
    comments: [...listing.comments, ...listing.comments.slice(-1)],
  }));
  comments('forgets edits', /after it was edited/, (listing) => ({
    ...listing,
    comments: listing.comments.filter((one) => listing.complete || one.createdAt === one.updatedAt),
  }));
  comments('calls part of a thread the whole', /does not call that listing complete/, (listing) => ({
    ...listing,
    complete: true,
  }));
  comments('never calls a listing complete', /complete and empty/, (listing) => ({
    ...listing,
    complete: false,
  }));
  comments('moves its cursor beyond what it has seen', /very second/, (listing) => ({
    ...listing,
    cursor: '2100-01-01T00:00:00Z',
  }));
  comments('loses its cursor when nothing is new', /same cursor/, (listing) =>
    listing.unchanged ? { ...listing, cursor: null } : listing,
  );
  comments('cuts bodies', /body as long/, (listing) => ({
    ...listing,
    comments: listing.comments.map((one) => ({ ...one, body: one.body.slice(0, 5000) })),
  }));
  itNotices({
    port: 'commentSource',
    cases: commentSourceCases,
    wrong: 'turns an aborted call into an empty listing',
    noticedBy: /signal's reason/,
    spoil: (source) => ({ listComments: ({ since }) => source.listComments({ since }) }),
  });
  itNotices({
    port: 'commentSource',
    cases: commentSourceCases,
    wrong: 'forgets that comments get deleted',
    noticedBy: /deleted comment/,
    spoil: (source) => {
      const seen = new Map<string, CommentListing['comments'][number]>();
      return {
        listComments: async (options) => {
          const listing = await source.listComments(options);
          for (const comment of listing.comments) seen.set(comment.id, comment);
          return options.since === null ? { ...listing, comments: [...seen.values()] } : listing;
        },
      };
    },
  });

  const spoiledWriter = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'commentWriter'>['spoil']) =>
    itNotices({ port: 'commentWriter', cases: commentWriterCases, wrong, noticedBy, spoil });
  let count = 0;
  spoiledWriter('writes another comment each time', /changes nothing|up to date/, (writer) => ({
    ensureComment: ({ topic, ...comment }) => {
      count += 1;
      return writer.ensureComment({ ...comment, topic: `${topic}${count}` });
    },
  }));
  spoiledWriter('has one comment for all topics', /each topic/, (writer) => ({
    ensureComment: (comment) => writer.ensureComment({ ...comment, topic: 'one' }),
  }));
  spoiledWriter('writes as somebody else', /our own account/, (_writer, { people, key }) => ({
    ensureComment: async ({ body }) => ({
      id: await people.comment(key, { author: 'alice', body }),
      url: null,
      visibility: 'public',
      change: 'created' as const,
    }),
  }));
  spoiledWriter('never brings a comment up to date', /up to date/, (writer) => {
    const first = new Map<string, string>();
    return {
      ensureComment: ({ topic, body, signal }) => {
        if (!first.has(topic)) first.set(topic, body);
        return writer.ensureComment({ topic, body: first.get(topic) ?? body, signal });
      },
    };
  });
  spoiledWriter(
    "believes a marker in somebody else's comment",
    /of another account for ours/,
    (writer, { people, key }) => ({
      ensureComment: async (comment) => {
        const marked = (await people.commentsOn(key)).find(({ body }) =>
          body.includes(`: ${comment.topic} -->`),
        );
        if (marked === undefined) return writer.ensureComment(comment);
        return { id: marked.id, url: null, change: 'unchanged' as const };
      },
    }),
  );

  const spoiledOwn = (wrong: string, noticedBy: RegExp, spoil: WrongAdapter<'ownComments'>['spoil']) =>
    itNotices({ port: 'ownComments', cases: ownCommentsCases, wrong, noticedBy, spoil });
  spoiledOwn('lists what others copied', /and no others/, (ports, { people, key }) => ({
    ...ports,
    ownComments: {
      ...ports.ownComments,
      list: async (options) => {
        const own = await ports.ownComments.list(options);
        const copies = (await people.commentsOn(key)).filter(({ author }) => author === 'alice');
        return [...own, ...copies.map((copy) => ({ ...own[0], ...copy, topic: 'final' }))] as typeof own;
      },
    },
  }));
  spoiledOwn('keeps the younger of two', /the younger goes/, (ports, { people, key }) => ({
    ...ports,
    ownComments: {
      ...ports.ownComments,
      list: async (options) => {
        const [older, ...others] = (await people.commentsOn(key)).filter(({ author }) => author === 'agent');
        if (older !== undefined && others.length > 0) await people.deleteComment(key, older.id);
        return ports.ownComments.list(options);
      },
    },
  }));
  spoiledOwn('makes a comment that is gone anew where it was to be edited', /edits nothing/, (ports) => ({
    ...ports,
    ownComments: {
      ...ports.ownComments,
      edit: async (comment) => {
        const edited = await ports.ownComments.edit(comment);
        if (edited === 'gone') await ports.writer.ensureComment(comment);
        return edited;
      },
    },
  }));
  spoiledOwn('edits whichever comment has the topic', /edits nothing/, (ports) => ({
    ...ports,
    ownComments: {
      ...ports.ownComments,
      edit: async (comment) => {
        const found = (await ports.ownComments.list()).find(({ topic }) => topic === comment.topic);
        return ports.ownComments.edit({ ...comment, id: found?.id ?? comment.id });
      },
    },
  }));
  spoiledOwn('says that it edited a comment', /edits the comment/, (ports) => ({
    ...ports,
    ownComments: { ...ports.ownComments, edit: async () => 'updated' as const },
  }));
  spoiledOwn('says that it took a comment back', /deletes a comment/, (ports) => ({
    ...ports,
    ownComments: { ...ports.ownComments, remove: async () => undefined },
  }));
});
