/* Evaluation of tables: piecewise polynomials of time. */
#include "loop.h"
#include <math.h>

/* Index of the polynomial that is valid at t, and the time since its beginning (*into). Times outside the table are
 * wrapped (periodic table) or clipped to its range. */
static long piece_of(const Table *table, double t, double *into) {
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
    *into = t - table->breaks[first];
    return first;
}

double table_value(const Table *table, double t) {
    double s;
    const long piece = piece_of(table, t, &s);
    double value = table->coefficients[piece];
    for (long power = 1; power <= table->degree; power++)
        value = value * s + table->coefficients[power * table->pieces + piece];
    return value;
}

double table_slope(const Table *table, double t) {
    double s, slope = 0;
    const long piece = piece_of(table, t, &s);
    for (long power = 0; power < table->degree; power++)
        slope = slope * s + (table->degree - power) * table->coefficients[power * table->pieces + piece];
    return slope;
}
