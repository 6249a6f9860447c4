import type { DiffLine, RepositoryClient, RequestState, ThreadReference } from '@agent/rehearsal/repository';

/** Issue that a person opens. */
export interface OpenedIssue {
  readonly number: number;
  readonly url: string;
  readonly nodeId: string;
}

/** Issue that a person is to open. */
export interface IssueToOpen {
  /** Text in the body that no other issue has. */
  readonly id: string;
  readonly title: string;
  readonly body: string;
  readonly label: string;
  /** Called as soon as the issue exists, before it has the label. */
  readonly onOpened: (issue: OpenedIssue) => void;
}

/** Writes the comments of the person on the issue. */
export interface PersonComments {
  /** @returns the id of the comment */
  readonly post: (thread: ThreadReference, body: string) => Promise<string>;
  readonly edit: (thread: ThreadReference, id: string, body: string) => Promise<void>;
  readonly remove: (thread: ThreadReference, id: string) => Promise<void>;
}

/** The person's part of a rehearsal. A step is done when its promise resolves. */
export interface Person {
  /** Login of the account; null if it is known only after the first step. */
  readonly login: () => string | null;
  /** Opens the issue and adds the label of tasks. */
  readonly openIssue: (issue: IssueToOpen) => Promise<OpenedIssue>;
  readonly comments: PersonComments;
  /** Comments on a line of the draft. @returns the id of the comment */
  readonly review: (request: RequestState, at: DiffLine, body: string) => Promise<string>;
}

/** Creates a person who acts through a second credential. */
export function createCredentialPerson(client: RepositoryClient, login: string): Person {
  return {
    login: () => login,
    openIssue: async ({ title, body, label, onOpened }) => {
      const issue = await client.issues.open({ title, body });
      onOpened(issue);
      await client.issues.addLabel(issue.number, label);
      return issue;
    },
    comments: {
      post: async (thread, body) => (await client.comments.post(thread, body)).id,
      edit: async (thread, id, body) => void (await client.comments.edit(thread, id, body)),
      remove: client.comments.remove,
    },
    review: async (request, at, body) => (await client.requests.comment(request, at, body)).id,
  };
}
