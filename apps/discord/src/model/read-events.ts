/** The data of server-sent events. @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream */
export async function* readEvents(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let data: string[] = [];
  for await (const line of readLines(chunks)) {
    const found = /^data: ?(.*)$/s.exec(line);
    if (found !== null) data.push(found[1] ?? '');
    if (line !== '' || data.length === 0) continue;
    yield data.join('\n');
    data = [];
  }
  // Servers that close at once may leave out the last empty line.
  if (data.length > 0) yield data.join('\n');
}

async function* readLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    // A carriage return at the end may be half of a line's end.
    const lines = (rest + chunk).split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? '';
    yield* lines;
  }
  yield rest.replace(/\r$/, '');
}
