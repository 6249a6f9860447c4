import { type APIAttachment, type APIUser, MessageType } from 'discord-api-types/v10';
import { openDirectChannel } from '../actions/add-channel.ts';
import { addReaction } from '../actions/add-reaction.ts';
import { deleteMessage, editMessage } from '../actions/change-message.ts';
import { changeThread } from '../actions/change-thread.ts';
import { findMentions, withReplied } from '../actions/find-mentions.ts';
import { addMessage, postMessage } from '../actions/post-message.ts';
import { startThread } from '../actions/start-thread.ts';
import { startTyping } from '../actions/start-typing.ts';
import { messagePayload } from '../payloads/message-payload.ts';
import { createUser } from '../state/create-world.ts';
import { getChannel, getMessage } from '../state/get-records.ts';
import type { MessageRecord } from '../state/message-record.ts';
import type { World } from '../state/world.ts';
import type { AttachedFile, People } from './people.ts';

/** Stores a file where its address leads. @see https://docs.discord.com/developers/resources/message#attachment-object */
function addFile(world: World, channelId: string, file: AttachedFile): APIAttachment {
  const { name, content, type = 'text/plain; charset=utf-8' } = file;
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  const id = world.nextId();
  const path = `/attachments/${channelId}/${id}/${encodeURIComponent(name)}`;
  world.files.set(path, { type, bytes });
  // Addresses are signed and expire.
  const url = `${world.filesOrigin}${path}?ex=simulated&is=simulated&hm=simulated`;
  return { id, filename: name, size: bytes.length, url, proxy_url: url, content_type: type };
}

/** Puts people into a world. */
export function createPeople(world: World): People {
  const byName = new Map([...world.users.values()].map((user) => [user.username, user]));
  const join = (name: string, isBot: boolean): APIUser => {
    const user = createUser(world.nextId(), name, isBot);
    world.users.set(user.id, user);
    byName.set(name, user);
    return user;
  };
  const user = (name: string) => byName.get(name) ?? join(name, false);
  return {
    user,
    addBot: (name) => join(name, true),
    say: (name, channelId, text, { mention = false, replyTo, pingReplied = true, files = [] } = {}) => {
      const channel = getChannel(world, channelId);
      const content = mention ? `<@${world.bot.id}> ${text}` : text;
      const replied = replyTo === undefined ? undefined : channel.messages.get(replyTo);
      const mentions = withReplied(findMentions(world, content), pingReplied ? replied?.author : undefined);
      const reference = replyTo === undefined ? null : { channelId, messageId: replyTo };
      const attachments = files.map((file) => addFile(world, channelId, file));
      const author = user(name);
      const message = postMessage(world, { channel, author, content, mentions, reference, attachments });
      return messagePayload(world, message);
    },
    forward: (name, channelId, address) => {
      const channel = getChannel(world, channelId);
      const from = messagePayload(world, getMessage(world, address));
      const { type, content, embeds, attachments, timestamp, edited_timestamp, mentions } = from;
      const snapshot = {
        message: {
          type,
          content,
          embeds,
          attachments,
          timestamp,
          edited_timestamp,
          mentions,
          mention_roles: [],
        },
      };
      const reference = { channelId: address.channel_id, messageId: address.id };
      const draft = { channel, author: user(name), content: '', reference, snapshot };
      return messagePayload(world, postMessage(world, draft));
    },
    edit: (address, text) => {
      const message = getMessage(world, address);
      editMessage(world, message, { content: text, mentions: findMentions(world, text) });
      return messagePayload(world, message);
    },
    delete: (address) => deleteMessage(world, getMessage(world, address)),
    react: (name, address, emoji) =>
      addReaction(world, getMessage(world, address), { userId: user(name).id, emoji }),
    type: (name, channelId) => startTyping(world, getChannel(world, channelId), user(name)),
    postAsWebhook: (name, channelId, text) => {
      const webhookId = world.nextId();
      const author = createUser(webhookId, name, true);
      const mentions = findMentions(world, text);
      const channel = getChannel(world, channelId);
      return messagePayload(
        world,
        postMessage(world, { channel, author, content: text, mentions, webhookId }),
      );
    },
    postSystemMessage: (name, channelId, type) => {
      const draft = { channel: getChannel(world, channelId), author: user(name), content: '', type };
      return messagePayload(world, postMessage(world, draft));
    },
    startThread: (name, channelId, { title, messageId }) => {
      const parent = getChannel(world, channelId);
      const from =
        messageId === undefined ? null : getMessage(world, { id: messageId, channel_id: channelId });
      return startThread(world, { parent, owner: user(name), name: title, from }).id;
    },
    changeThread: (threadId, change) => changeThread(world, getChannel(world, threadId), change),
    openDirect: (name) => openDirectChannel(world, user(name)).id,
    closeDirect: (name) => void world.closedDirectMessages.add(user(name).id),
    fill: (
      channelId,
      count,
      { text = (index: number) => `message ${index}`, author = () => 'alice' } = {},
    ) => {
      const channel = getChannel(world, channelId);
      return Array.from(
        { length: count },
        (_, index): MessageRecord =>
          addMessage(world, {
            channel,
            author: user(author(index)),
            content: text(index),
            type: MessageType.Default,
          }),
      ).map(({ id }) => id);
    },
  };
}
