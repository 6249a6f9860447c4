import { PlatformError } from '@agent/platforms';
import type { Ownership } from '@agent/run-store';
import type { TaskModel } from '@agent/runner/models';
import { toErrorMessage } from '@agent/text';
import type { GitToken } from '@agent/workspace';
import type { LanguageModel } from 'ai';
import type { ConfiguredModel } from '../host/ports.ts';
import type { ConfiguredPlatform } from '../run/run-thread.ts';

/** Part of an ownership that is compared before something happens outside. */
export type Owner = Pick<Ownership, 'requireOwned' | 'requireStored'>;

/** The same port: once this process does not own the directory of runs any more, each call of it rejects and does nothing. */
function whileOwned<Port extends object>(port: Port, owner: Owner): Port {
  const handler = handlers.get(owner) ?? createHandler(owner);
  handlers.set(owner, handler);
  return new Proxy<Port>(port, handler);
}

/** One for each owner: a run has a dozen of ports. */
const handlers = new WeakMap<Owner, ProxyHandler<object>>();

function createHandler({ requireOwned }: Owner): ProxyHandler<object> {
  return {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== 'function') return value;
      return async (...given: readonly unknown[]) => {
        await requireOwned();
        return value.apply(target, given);
      };
    },
  };
}

/** The same platform, of which nothing is asked and on which nothing is written or pushed by who lost the directory of runs. */
export function platformWhileOwned(configured: ConfiguredPlatform, owner: Owner): ConfiguredPlatform {
  const { platform, workspaces } = configured;
  const { tasks, identity, openThread, openReview } = platform;
  const openWorkspace = whileOwned(workspaces, owner).open;
  return {
    ...configured,
    platform: {
      ...platform,
      tasks: whileOwned(tasks, owner),
      identity: whileOwned(identity, owner),
      openThread: (...given) => portsWhileOwned(openThread(...given), owner),
      openReview: (...given) => {
        const review = openReview?.(...given) ?? null;
        return review && portsWhileOwned(review, owner);
      },
    },
    workspaces: {
      open: async (...given) => whileOwned(await openWorkspace(...given), owner),
      remove: whileOwned(workspaces, owner).remove,
    },
  };
}

/** The same ports of one thread, of which each call rejects once it is not owned any more; its key is no port. */
export function portsWhileOwned<Ports extends object>(ports: Ports, owner: Owner): Ports {
  const guarded = Object.entries(ports).map(([name, port]) => [
    name,
    name === 'key' ? port : port && whileOwned(port, owner),
  ]);
  return Object.fromEntries(guarded) as Ports;
}

/**
 * The same fetch, which sends nothing that changes something once this process does not own the runs any more, nor before what it wrote
 * is stored. One call of a port takes long: it lists, waits for its turn, and may be frozen at each of these. So this is compared again
 * right before each write.
 *
 * @throws PlatformError `unavailable`, with the refusal as its cause: nothing was sent
 */
export function fetchWhileOwned(
  send: typeof globalThis.fetch,
  { requireOwned, requireStored }: Owner,
): typeof globalThis.fetch {
  return async (input, init) => {
    const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
    if (!['GET', 'HEAD'].includes(method.toUpperCase())) {
      try {
        await requireOwned();
        await requireStored?.();
      } catch (cause) {
        const message = `Nothing was sent to the platform: ${toErrorMessage(cause)}`;
        throw new PlatformError(message, { code: 'unavailable', cause });
      }
    }
    return send(input, init);
  };
}

/** The same token of git, which git's commands ask for right before each fetch and push: it is not given once the runs are lost. */
export function gitTokenWhileOwned(token: GitToken, { requireOwned, requireStored }: Owner): GitToken {
  return async (asked) => {
    await requireOwned();
    await requireStored?.();
    return token(asked);
  };
}

/** The same model, which is not asked any more by who lost the directory of runs. */
export function modelWhileOwned(configured: ConfiguredModel, owner: Owner): ConfiguredModel {
  const guard = <Model extends LanguageModel>(one: Model): Model =>
    typeof one === 'string' ? one : (whileOwned<object>(one, owner) as Model);
  const guardTask = <One extends TaskModel>(one: One): One => {
    const { model, chatModel } = one;
    return { ...one, model: guard(model), chatModel: chatModel && guard(chatModel) };
  };
  const { tasks = {} } = configured;
  const guarded = Object.entries(tasks).map(([task, models]) => [task, models.map(guardTask)]);
  return { ...guardTask(configured), ...(configured.tasks ? { tasks: Object.fromEntries(guarded) } : {}) };
}
