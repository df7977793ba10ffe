import { Kind, type MessagePlan, type PlanNode } from '../schema/plan.ts';
import { paint, type Style, type Theme } from './theme.ts';

/** Columns that a field's meaning may take, its dots included. */
const MEANING_COLUMNS = 78;
const DOTS = '...';

/** ASCII text that is printed again and again, encoded once. */
export interface Piece {
  readonly bytes: Uint8Array;
  /** Bytes that take no column: the codes of styles. */
  readonly hidden: number;
}

/** What the lines of one field have in common. */
export interface Label {
  /** `Name string = `, or `Name[` for what an array holds. */
  readonly lead: Piece;
  /** `] Name string = ` for what an array holds, else null. */
  readonly leadEnd: Piece | null;
  /** From the end of the span to the end of the line: `B] The meaning.` */
  readonly tail: Piece;
  readonly about: string;
  /** Of the line with an array's length; null for what is no array. */
  readonly length: Label | null;
  /** Guides and lead as they were printed last, and a number that stands for these guides: {@link TreeLine} keeps them here. */
  guided: Piece;
  guides: number;
}

const encoder = new TextEncoder();

/** Encodes ASCII text with the codes of its styles; `columns` is what of it shows. */
export function piece(text: string, columns: number): Piece {
  const bytes = encoder.encode(text);
  return { bytes, hidden: bytes.length - columns };
}

/** A meaning of at most `columns` columns: the rest becomes three dots. */
export function cutMeaning(text: string, columns: number): string {
  return text.length <= columns ? text : text.slice(0, columns - DOTS.length) + DOTS;
}

/** Labels of all nodes of a plan, by id. */
export function createLabels(plan: MessagePlan, theme: Theme): Label[] {
  const elements = new Set(plan.nodes.map((node) => node.element));
  const valueless = new Set([plan.root, ...plan.root.fields]);
  return plan.nodes.map((node) => {
    const nameStyle = node === plan.root ? theme.heading : theme.name;
    const length = node.kind === Kind.array ? lengthLabel(node, theme) : null;
    const facts = { name: node.name, type: node.type, about: node.about, hasValue: !valueless.has(node), length };
    return elements.has(node) ? elementLabel(facts, theme) : createLabel(facts, nameStyle, theme);
  });
}

/** The label of the byte before a nullable struct, which says whether there is one. */
export function presenceLabel(theme: Theme): Label {
  const about = '-1 for null, else the struct follows';
  return createLabel({ name: 'presence', type: 'int8', about, hasValue: true, length: null }, theme.name, theme);
}

interface LabelFacts {
  readonly name: string;
  readonly type: string;
  readonly about: string;
  readonly hasValue: boolean;
  readonly length: Label | null;
}

function lengthLabel({ compact }: PlanNode, theme: Theme): Label {
  const type = compact ? 'uvarint' : 'int32';
  return createLabel({ name: 'length', type, about: '', hasValue: true, length: null }, theme.name, theme);
}

function createLabel(facts: LabelFacts, nameStyle: Style, theme: Theme): Label {
  const { name, about, length } = facts;
  const [typed, typedColumns] = typeAndEquals(facts, theme);
  const lead = piece(paint(nameStyle, name) + typed, name.length + typedColumns);
  return { lead, leadEnd: null, ...tailOf(about, theme), length, guided: lead, guides: 0 };
}

function elementLabel(facts: LabelFacts, theme: Theme): Label {
  const { name, about, length } = facts;
  const [typed, typedColumns] = typeAndEquals(facts, theme);
  const lead = piece(`${paint(theme.name, name)}[`, name.length + 1);
  return { lead, leadEnd: piece(`]${typed}`, typedColumns + 1), ...tailOf(about, theme), length, guided: lead, guides: 0 };
}

/** What follows a name, and its columns. */
function typeAndEquals({ type, hasValue }: LabelFacts, theme: Theme): [string, number] {
  const typed = type === '' ? '' : ` ${paint(theme.type, type)}`;
  const columns = type === '' ? 0 : type.length + 1;
  return hasValue ? [`${typed} = ${theme.value.open}`, columns + 3] : [typed, columns];
}

function tailOf(meaning: string, theme: Theme): Pick<Label, 'tail' | 'about'> {
  const about = cutMeaning(meaning, MEANING_COLUMNS);
  const shown = about === '' ? '' : ` ${paint(theme.about, about)}`;
  const columns = about === '' ? 0 : about.length + 1;
  return { about, tail: piece(`B]${theme.span.close}${shown}\n`, 2 + columns) };
}
