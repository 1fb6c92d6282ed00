/* Reading tables of time. */
#include "loop.h"
#include <math.h>

double table_value(const Table *table, double t) {
    const double low = table->breaks[0], high = table->breaks[table->pieces];
    if (table->periodic)
        t -= (high - low) * floor((t - low) / (high - low));
    else
        t = t < low ? low : t > high ? high : t;
    long first = 0, last = table->pieces - 1; /* bisection: breaks[first] <= t < breaks[last + 1] */
    while (first < last) {
        const long middle = (first + last + 1) / 2;
        if (table->breaks[middle] <= t)
            first = middle;
        else
            last = middle - 1;
    }
    const double s = t - table->breaks[first];
    double value = table->coefficients[first];
    for (long power = 1; power <= table->degree; power++)
        value = value * s + table->coefficients[power * table->pieces + first];
    return value;
}
