// The few requests that go over plain HTTP.
import type { CodeCreated, CodeOpened, Command, CommandDone, Created, CreateRequest, CreatureFile, Log, Problem, SeatCreated, SystemView, ViewMap } from './wire.gen'

/** A refusal by the server, or the lack of one to talk to (code offline). */
export class ApiError extends Error {
  constructor(
    readonly code: string,
    readonly params: Record<string, unknown> = {},
  ) {
    super(code)
  }
}

const post = <T>(path: string, body: unknown, token?: string) =>
  request<T>(path, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(token ? { Authorization: `Bearer ${token}` } : {}),
    },
    body: JSON.stringify(body),
  })

async function request<T>(path: string, init?: RequestInit): Promise<T> {
  let response: Response
  try {
    response = await fetch(path, init)
  } catch {
    throw new ApiError('offline')
  }
  if (response.ok) return (await response.json()) as T
  const problem = (await response.json().catch(() => ({}))) as Partial<Problem>
  throw new ApiError(problem.code ?? 'unavailable', problem.params)
}

const at = (encounter: string) => `/api/encounters/${encodeURIComponent(encounter)}`

/** The rule systems to choose from, with their options. */
export const getSystems = () => request<SystemView[]>('/api/systems')

/** Makes an encounter. */
export const createEncounter = (request: CreateRequest) => post<Created>('/api/encounters', request)

/** Takes a seat with the player link's token. */
export const takeSeat = (encounter: string, token: string, name: string) =>
  post<SeatCreated>(`${at(encounter)}/seats`, { name }, token)

/** What the bearer of a token sees. */
export const getView = (encounter: string, token: string) =>
  request<ViewMap>(at(encounter), { headers: { Authorization: `Bearer ${token}` } })

/** Sends a command under an id; the same id again has the same outcome. */
export const sendCommand = (encounter: string, token: string, id: string, command: Command) =>
  post<CommandDone>(`${at(encounter)}/commands`, { id, command }, token)

/** Makes a short code for a link, as a GM. */
export const makeCode = (encounter: string, gm: string, role: string, token: string) =>
  post<CodeCreated>(`${at(encounter)}/codes`, { role, token }, gm)

/** Looks a short code up. */
export const findCode = (code: string) => request<CodeOpened>(`/api/codes/${encodeURIComponent(code)}`)

/** Asks which creatures a file holds, whatever program wrote it. Nothing is added. */
export const readCreatures = (rules: string, file: Blob) =>
  request<CreatureFile>(`/api/creatures?rules=${encodeURIComponent(rules)}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: file,
  })

/** All that the bearer of a token has been told; as: what a GM sees another be told. */
export const getLog = (encounter: string, token: string, as?: string) =>
  request<Log>(`${at(encounter)}/log${as ? `?as=${encodeURIComponent(as)}` : ''}`, { headers: { Authorization: `Bearer ${token}` } })
