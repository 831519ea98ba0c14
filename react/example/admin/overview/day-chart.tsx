import { BarChart } from '@mantine/charts'
import { Box, ScrollArea, Table } from '@mantine/core'
import type { ReactNode } from 'react'
import { Section } from '../../ui/section'

interface Props {
  readonly title: string
  /** Oldest first; the date as `2026-11-22`. */
  readonly days: readonly { readonly date: string; readonly activity: number }[]
}

// The platform's days are in UTC.
const short = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })
const dayOf = (date: string) => short.format(new Date(`${date}T00:00:00Z`))

/** A number for each day: as bars, and as a table with the same numbers. */
export function DayChart({ title, days }: Props): ReactNode {
  const data = days.map(({ date, activity }) => ({ day: dayOf(date), [title]: activity }))
  const total = days.reduce((sum, { activity }) => sum + activity, 0)
  return (
    <Section title={title}>
      <Box role="img" aria-label={`Bars: ${title}, ${total} in all. The table below has the numbers.`}>
        <BarChart
          h={180}
          data={data}
          dataKey="day"
          series={[{ name: title, color: 'brand.5' }]}
          tickLine="none"
          gridAxis="x"
          yAxisProps={{ width: 28, allowDecimals: false }}
          xAxisProps={{ minTickGap: 24 }}
          barProps={{ isAnimationActive: false, radius: [3, 3, 0, 0] }}
          barChartProps={{ accessibilityLayer: false, margin: { top: 12 } }}
        />
      </Box>
      <details>
        <summary className="chart-summary">As a table</summary>
        <ScrollArea.Autosize mah={240} mt="xs" type="auto" viewportProps={{ tabIndex: 0 }}>
          <Table aria-label={title} withRowBorders>
            <Table.Thead>
              <Table.Tr>
                <Table.Th scope="col">Day</Table.Th>
                <Table.Th scope="col">{title}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {days.map(({ date, activity }) => (
                <Table.Tr key={date}>
                  <Table.Td>
                    <time dateTime={date}>{dayOf(date)}</time>
                  </Table.Td>
                  <Table.Td>{activity}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollArea.Autosize>
      </details>
    </Section>
  )
}
